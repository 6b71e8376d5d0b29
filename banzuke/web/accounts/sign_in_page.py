"""Signing in; and what somebody had sent when the session had ended, to be sent then."""

from typing import Any

from allauth.account.views import LoginView
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render

from banzuke.web.accounts import interrupted_forms


class SignInView(LoginView):  # type: ignore[misc]  # it has no types
    """allauth's page, which carries an interrupted form on."""

    def dispatch(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponseBase:
        """Who has signed in elsewhere meanwhile has the form, too."""
        if request.method == "POST" and request.user.is_authenticated:
            interrupted_forms.keep_form(request)
        answer: HttpResponseBase = super().dispatch(request, *args, **words)
        return answer

    def form_valid(self, form: Any) -> HttpResponseBase:
        """Sign in, or go on to the second factor."""
        answer: HttpResponseBase = super().form_valid(form)
        interrupted_forms.keep_form(self.request)
        return answer

    def get_context_data(self, **words: Any) -> dict[str, Any]:
        """What the page shows again after a wrong password."""
        found: dict[str, Any] = super().get_context_data(**words)
        return found | {"carried": self.request.POST.get("carried", "")}


sign_in = SignInView.as_view()


@login_required
def interrupted_form(request: HttpRequest) -> HttpResponse:
    """What was sent before signing in, with a button to send it now."""
    found = interrupted_forms.kept_form(request)
    if found is None:
        return redirect("desk")
    answer = render(request, "account/interrupted_form.html", {"found": found})
    answer["Cache-Control"] = "no-store"
    return answer
