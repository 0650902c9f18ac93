import { addStyles } from '#web/lib/add-styles.ts'
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

addStyles([frame, totals, needs, panel, matrix, wideRows, cells, old, desk, phone].join('\n'))
