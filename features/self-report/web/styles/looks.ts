import { addStyles } from '#web/lib/add-styles.ts'
import poster from './poster.css?inline'

addStyles(poster)
