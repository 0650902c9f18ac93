import cells from './cells.css?inline'
import desk from './desk.css?inline'
import frame from './frame.css?inline'
import matrix from './matrix.css?inline'
import needs from './needs.css?inline'
import panel from './panel.css?inline'
import phone from './phone.css?inline'
import old from './stale.css?inline'
import totals from './totals.css?inline'
import wideRows from './wide-rows.css?inline'

// Only the board has them: the wardens' first load stays without, and the content security policy allows no style element.
const sheet = new CSSStyleSheet()
sheet.replaceSync([frame, totals, needs, panel, matrix, wideRows, cells, old, desk, phone].join('\n'))
document.adoptedStyleSheets.push(sheet)
