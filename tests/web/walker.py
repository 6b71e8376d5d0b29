"""A visitor who reads pages and follows only their links and forms, as somebody without a list of addresses."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from django.core.files.uploadedfile import SimpleUploadedFile
from lxml import html

#: More redirects than any act leads to.
MOST_REDIRECTS = 5


class Walker:
    """A client that stands on a page."""

    def __init__(self, client, start="/"):
        self.client = client
        self._take(client.get(start), start)

    def _take(self, answer, url):
        for _ in range(MOST_REDIRECTS):
            if answer.status_code not in (301, 302):
                break
            url = urljoin(url, answer["Location"])
            answer = self.client.get(url)
        assert answer.status_code == 200, (url, answer.status_code)
        self.url, self.answer = url, answer
        is_page = answer["Content-Type"].startswith("text/html")
        self.page = html.fromstring(answer.content.decode()) if is_page else None

    @property
    def text(self):
        """What stands on the page, blanks as one."""
        return " ".join(self.page.find(".//main").text_content().split())

    def links(self, text, within="//body"):
        """The addresses of the links that read so."""
        found = self.page.xpath(f"{within}//a")
        return [a.get("href") for a in found if text in " ".join(a.text_content().split())]

    def click(self, text, within="//body"):
        """Follow the first link that reads so."""
        found = self.links(text, within)
        assert found, (self.url, text, [a.text_content() for a in self.page.xpath("//a")])
        url = urljoin(self.url, found[0])
        assert not urlsplit(url).netloc, url
        self._take(self.client.get(url.partition("#")[0]), url)
        return self

    def submit(self, button, files=(), **fields):
        """Press the button that reads so, with fields filled in by their names; what is there already is sent."""
        found = [b for b in self.page.xpath("//form//button") if button in " ".join(b.text_content().split())]
        assert found, (self.url, button)
        pressed = found[0]
        form = next(each for each in pressed.iterancestors("form"))
        names = {each.get("name") for each in form.xpath(".//input|.//select|.//textarea")}
        assert set(fields) <= names, (self.url, set(fields) - names)
        sent = dict(form.fields) | fields
        data = {name: value for name, value in sent.items() if value is not None}
        for each in form.xpath(".//input[@type='file']"):
            data.pop(each.get("name"), None)
            if files:
                data[each.get("name")] = [SimpleUploadedFile(name, content) for name, content in files]
        if pressed.get("name"):
            data[pressed.get("name")] = pressed.get("value", "")
        url = urljoin(self.url, form.get("action") or self.url)
        answer = (
            self.client.post(url, data)
            if (form.get("method") or "get").lower() == "post"
            else self.client.get(url, data)
        )
        self._take(answer, url)
        return self
