"""How the HTML report looks: one column, readable on a phone, both themes, and on paper."""
# ruff: noqa: E501  (one rule a line reads better than one property a line)

from footprint_core.reports.palette import DARK, LIGHT, Palette, custom_properties

STYLE = (
    f":root{{color-scheme:light dark;{custom_properties(LIGHT)}}}"
    f"@media (prefers-color-scheme:dark){{:root{{{custom_properties(DARK)}}}}}"
    """
*{box-sizing:border-box}
body{margin:0;background:var(--soft);color:var(--ink);font:16px/1.5 Inter,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}
main{max-width:960px;margin:0 auto;padding:1rem;background:var(--paper)}
main.what-if{border:12px solid var(--left);border-image:repeating-linear-gradient(45deg,var(--left) 0 9px,var(--left-wash) 9px 18px) 12}
header{display:flex;flex-wrap:wrap;gap:.35rem .8rem;align-items:center;font-size:.9rem;color:var(--mute);border-bottom:2px solid var(--line);padding-bottom:.7rem}
.badge{background:var(--ink);color:var(--paper);font-weight:600;padding:.25rem .7rem;border-radius:.35rem;letter-spacing:.02em}
.what-if .badge{background:var(--left-wash);color:var(--left-ink);border:2px dashed var(--left)}
header b{color:var(--ink)}
h1{font-size:1.55rem;line-height:1.25;margin:1.1rem 0 .3rem}
h2{font-size:1.15rem;margin:1.6rem 0 .5rem;padding-top:1rem;border-top:2px solid var(--line)}
h3{font-size:1rem;margin:.9rem 0 .1rem}
p{margin:.35rem 0}
.mute,small{color:var(--mute)}
.good{color:var(--good-ink);font-weight:600}
.bad,.would{color:var(--left-ink);font-weight:600}
.bars{overflow-x:auto}.bars svg{display:block;min-width:640px;width:100%;height:auto}
ol.rows{list-style:none;margin:.5rem 0;padding:0}
.rows>li{border:1px solid var(--line);border-left:6px solid var(--kept);border-radius:.35rem;padding:.35rem .6rem;margin:.3rem 0;break-inside:avoid;overflow:hidden}
.rows b{display:inline-block;min-width:5.6rem}.rows em{float:right;font-style:normal;color:var(--mute);font-size:.85rem}
.rows small{margin-left:.5rem;font-size:.85rem}.rows span{color:var(--mute)}.rows .notice span{color:var(--ink)}
.rows i{display:inline-block;font-style:normal;border:1px solid var(--line);border-radius:.3rem;padding:0 .45rem;font-size:.85rem;background:var(--paper)}
code,pre{font-family:'JetBrains Mono','SF Mono',Menlo,Consolas,monospace;font-size:.86rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;margin:.3rem 0;padding:.5rem;background:var(--soft);border-radius:.3rem;max-height:26rem;overflow:auto}
.rows>.request{border-left-color:var(--request)}.rows>.held{border-left-color:var(--held);background:var(--held-wash)}.rows>.new{border-left-color:var(--new)}
.rows>.notice{border-left-color:var(--notice);background:var(--notice-wash)}.rows .notice b{color:var(--notice-ink)}
.rows>.left,.rows>.old-notice{border:1px dashed var(--edge);border-left:6px dashed var(--left);color:var(--left-ink);background:repeating-linear-gradient(135deg,var(--left-wash) 0 12px,var(--left-hatch) 12px 19px)}
.rows>.wrote{border-left-color:var(--ink);background:var(--soft)}.rows>.wrote::before{content:"What it wrote";display:block;color:var(--mute);font-size:.85rem}
.rows>.gone,.rows>.more{border:0;padding-left:.9rem;color:var(--mute)}.rows>.gone{color:var(--left-ink)}
.rows>.bracket{margin-left:1.1rem;box-shadow:-.75rem 0 0 -.62rem var(--edge)}
.finding{margin:.7rem 0;padding-left:1.4rem;text-indent:-1.4rem}.finding p{text-indent:0}
.finding .sign{display:inline-block;width:1.4rem;text-indent:0;font-weight:600;color:var(--left-ink)}
table{border-collapse:collapse;font-size:.9rem;width:100%}td,th{border-bottom:1px solid var(--line);padding:.25rem .5rem .25rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
details.call{border-top:1px solid var(--line)}details.call>summary{padding:.45rem 0;cursor:pointer}
summary b{display:inline-block;min-width:4.6rem}summary{overflow-wrap:anywhere}
footer{margin-top:1.6rem;color:var(--mute);font-size:.85rem}
@media (max-width:560px){.rows b{min-width:4.6rem}}
@media print{body{background:none;font-size:11pt}main{max-width:none;padding:0}pre{max-height:none}
details:not([open])::details-content{content-visibility:visible;display:block;height:auto}details:not([open])>*{display:block}}
"""
)

INHERITED = Palette(**{name: f"var(--{name.replace('_', '-')})" for name in Palette.__dataclass_fields__})
"""The palette as the page's own variables, so that a drawing in it follows the reader's theme."""
