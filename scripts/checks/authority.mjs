import { readFileSync, writeFileSync } from 'node:fs'
import { authorityTable, targets } from '../../features/authority/table.ts'

const file = 'docs/authority.md'
const names = Object.fromEntries(targets.map((target) => [target, target[0].toUpperCase() + target.slice(1)]))
const row = (cells) => `| ${cells.join(' | ')} |`

const printed = `# Who may do what to whom

Printed from \`features/authority/table.ts\` by \`node scripts/checks/authority.mjs --write\`. [SPEC.md](../features/authority/SPEC.md) has the rules.

The target is the first that fits: **Self**; **Plans**, has the Plans permission; **Grant**, is an administrator; **Beyond**, has a role that the
administrator could not offer; **Starts**, has a role that starts events; **Roles**, another open role; **None**.

y yes · – no · w administrators of the whole organisation only · c a code is asked · t the person is told · p the Plans permission ends · k they
keep their own sign-in, email and mobile · m only where no mail is sent. Outside the reach every act answers 404.

${row(['Act', ...targets.map((target) => names[target])])}
${row(['---', ...targets.map(() => '---')])}
${Object.entries(authorityTable)
  .map(([act, cells]) => row([act, ...cells]))
  .join('\n')}
`

if (process.argv.includes('--write')) writeFileSync(file, printed)
else if (readFileSync(file, 'utf8') !== printed) {
  console.error(`${file} is not what the table says: node scripts/checks/authority.mjs --write`)
  process.exitCode = 1
}
