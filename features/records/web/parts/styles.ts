import { addStyles } from '#web/lib/add-styles.ts'
import looks from './records.css?inline'

addStyles(looks)
