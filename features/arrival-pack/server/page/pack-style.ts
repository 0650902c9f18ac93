const inCss = (text: string) =>
  text.replace(/[^\p{L}\p{N} ,.:]/gu, (mark) => `\\${(mark.codePointAt(0) ?? 0).toString(16)} `)

/** The same with a line at the foot of each sheet: a second sheet that is found alone says whose it is, of when, and which. */
export const packStyleFor = (foot: string) => `${packStyle}
@media print{@page{@bottom-left{content:"${inCss(foot)}";font:9pt system-ui,sans-serif}@bottom-right{content:"Page " counter(page) " of " counter(pages);font:9pt system-ui,sans-serif}}}
`

/** Rules of the pack beside those of every plain page. On paper: A4, black on white, words for colours. */
const packStyle = `
.drill{margin:-16px -16px 12px;padding:10px 16px;background:#003a8c;color:#fff;font-weight:700}
.asof{padding:8px 12px;border:2px solid var(--line);border-radius:8px;background:var(--surface)}
dl.totals{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin:12px 0}
dl.totals div{display:flex;flex-direction:column-reverse;justify-content:flex-end;padding:8px 12px;border:2px solid var(--line);border-radius:8px}
dl.totals dd{margin:0;font-size:30px;font-weight:700;line-height:1.15;font-variant-numeric:tabular-nums}
dl.totals .danger{border-color:var(--danger)}
dl.totals .danger dd{color:var(--danger)}
ul{list-style:none;margin:0;padding:0}
li{padding:8px 0;border-bottom:1px solid var(--line)}
table{width:100%;border-collapse:collapse}
th,td{padding:6px 4px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.floors+.floors{margin-top:16px}
.floors th:first-child{font-size:18px}
th:first-child,td:first-child{padding-left:0}
.n{width:5.6em;text-align:right;overflow-wrap:normal;font-variant-numeric:tabular-nums}
.small{font-size:15px;color:var(--muted)}
.qr{display:none}
.bar a{display:inline-block;min-height:48px;padding:12px 0}
@media (min-width:600px){dl.totals{grid-template-columns:repeat(4,1fr)}}
@media print{
@page{size:A4;margin:12mm}
body{font-size:10.5pt;line-height:1.25}
h1{font-size:18pt;margin:0}h2{font-size:13pt;margin:12pt 0 3pt}
p{margin:3pt 0}
.drill{margin:0 0 6pt;padding:4pt 6pt;border:2pt solid #000;background:#fff;color:#000}
dl.totals{grid-template-columns:repeat(4,1fr);margin:6pt 0;gap:6pt}
dl.totals div{padding:3pt 6pt}
dl.totals dd{font-size:18pt}
.asof{display:flow-root;padding:3pt 6pt}
li,td,th{padding:2pt}
li,tr,dl{break-inside:avoid}
h2,thead{break-after:avoid}
li br,td br{display:none}
li b::after{content:": "}
li .small,td .small{margin-left:6pt}
.small{font-size:9.5pt}
.floors+.floors{margin-top:8pt}
.floors th:first-child{font-size:11pt}
.columns{columns:2;column-gap:8mm;font-size:9.5pt;line-height:1.15}
.columns td,.columns th{padding:1pt 2pt}
.columns .n{width:3.2em;padding:1pt}
.columns .small{font-size:9pt;margin-left:4pt}
.qr{display:block;float:right;width:34mm;height:34mm;margin:0 0 3mm 5mm}
.bar{display:none}
a{color:inherit;text-decoration:none}
}
`
