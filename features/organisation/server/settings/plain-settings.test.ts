import { expect, test } from 'vitest'
import type { Column } from '#features/directory/column-kinds.ts'
import { plainSettings } from '#features/directory/columns.ts'
import { Settings, saveSettings } from '../../calls/settings.ts'

/** What a call must say of a setting of each kind. */
function schemaOf(column: Column) {
  if (column.kind === 'count') return { type: 'integer', minimum: column.least, maximum: column.most }
  return column.kind === 'word'
    ? { enum: [...column.of] }
    : { type: column.kind === 'yes or no' ? 'boolean' : 'string' }
}

test.for(Object.entries<Column>(plainSettings))(
  'ORG-37 a form reads and saves each setting, as the table of columns has it: %s',
  ([name, column]) => {
    const read = Settings.properties[name as keyof typeof Settings.properties]
    const saved = saveSettings.body.properties[name as keyof typeof saveSettings.body.properties]

    expect(saved).toMatchObject(schemaOf(column))
    expect(read).toMatchObject(column.kind === 'count' ? { type: 'integer' } : schemaOf(column))
    expect(saveSettings.body.required).not.toContain(name)
    expect(Settings.required).toContain(name)
    if (column.kind === 'word') expect(Object.keys(column.words ?? {}), 'the words of its choice').toEqual(column.of)
  },
)
