"""What has a picture in notebooks: it is drawn when one is shown there, and nothing of that is loaded before."""


class InNotebooks:
    """Shows itself in a notebook's cell; everywhere else nothing changes."""

    def _repr_html_(self) -> str:
        from plyout.notebook.show import html_of

        return html_of(self)
