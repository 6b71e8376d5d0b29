"""What stands between the network and the pages: bodies are read there, and requests wait for a thread.

The server (granian) calls it for every request, in one thread that never waits itself (RSGI). A slow client
costs a connection, and no thread. Behind it pages and the API are an ordinary WSGI application.
"""
