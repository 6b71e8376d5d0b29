"""The standings of an event: who is first, and the tie-breaks between equal points."""
