import looks from './replay.css?inline'

// Only the replay has them: see ../parts/looks.ts
const sheet = new CSSStyleSheet()
sheet.replaceSync(looks)
document.adoptedStyleSheets.push(sheet)
