import type { ActionGroup } from '#kernel/actions.ts'

/** Rules of the page beside those of every plain page. A form shows when its word was pressed; text browsers show all. */
const reportStyle = `
:root{--safe:#14672f;--on-safe:#fff}
@media (prefers-color-scheme:dark){:root{--safe:#7fe0a0;--on-safe:#04210e}}
body{max-width:560px}
.drill{margin:-16px -16px 12px;padding:10px 16px;background:#003a8c;color:#fff;font-weight:700}
.big{display:flex;align-items:center;justify-content:center;width:100%;min-height:72px;margin:16px 0 0;padding:8px 16px;border-radius:8px;font-size:22px;font-weight:700;text-align:center;text-decoration:none}
.safe{background:var(--safe);color:var(--on-safe)}
.help{background:var(--danger);color:var(--bg)}
section{display:none;scroll-margin-top:16px}
section:target,section.open{display:block}
.wrong{padding:8px 12px;border:2px solid var(--danger);border-radius:8px;font-weight:600}
`

/** Where people hide the page is black, whatever the phone prefers: light gives them away. */
const quietStyle = `
:root{color-scheme:dark;--bg:#000;--ink:#c8c8c8;--muted:#9a9a9a;--line:#555;--surface:#000;--accent:#9dbdd0;--on-accent:#000;--danger:#b8606c;--safe:#4d7a5c;--on-safe:#000}
html{background:#000}
`

export const reportStyleOf = (group: ActionGroup): string =>
  group === 'quiet' ? reportStyle + quietStyle : reportStyle
