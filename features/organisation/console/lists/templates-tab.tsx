import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as limits from '#kernel/limits.ts'
import { List } from '#web/console/list/list.tsx'
import { useListAddress } from '#web/console/list/list-address.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { AboutLink, InsertLink } from '#web/ui/fields/insert-link.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { saveTemplate, type TemplateRow, templatesQuery } from './lists.data.ts'
import { type Edited, RowDialog } from './row-dialog.tsx'
import { Segments } from './segments.tsx'

const labels = { kind: 'Kind', text: 'Text', coded_answer: 'Coded answer', in_use: 'In use' }
const kindWords = { Warden: 'To wardens', Evacuee: 'To occupants' }
const kinds = (['Warden', 'Evacuee'] as const).map((value) => ({ value, label: kindWords[value] }))
const valuesOf = (row: TemplateRow | undefined) => ({
  kind: (row?.kind ?? 'Warden') as string,
  text: row?.text ?? '',
  coded_answer: row?.coded_answer ?? false,
  in_use: row?.in_use ?? true,
})

/** Prepared messages. */
export function TemplatesTab({ frame }: { frame: Frame }) {
  const address = useListAddress([])
  const read = useQuery(templatesQuery)
  const [edited, setEdited] = useState<Edited<TemplateRow>>(null)
  const textField = useRef<HTMLTextAreaElement>(null)
  return frame(
    <Button onClick={() => setEdited('new')}>Add</Button>,
    <>
      <List
        label="Templates"
        read={read}
        address={address}
        keyOf={({ uid }) => uid}
        nameHead="Text"
        name={({ text }) => <span className="font-semibold">{text}</span>}
        columns={[
          { head: 'Kind', cell: ({ kind }) => kindWords[kind] },
          { head: 'Answer', cell: ({ coded_answer }) => (coded_answer ? 'Coded answer' : '') },
          { head: 'State', cell: ({ in_use }) => (in_use ? 'In use' : 'Out of use') },
        ]}
        actions={(row) => (
          <div className="console-acts">
            <Button variant="quiet" aria-label={`Change: ${row.text}`} onClick={() => setEdited(row)}>
              Change
            </Button>
          </div>
        )}
        empty="There are no templates yet."
      />
      <RowDialog
        edited={edited}
        onClose={() => setEdited(null)}
        what="template"
        queryKey={templatesQuery.queryKey}
        labels={labels}
        valuesOf={valuesOf}
        save={(row, { kind, ...values }, options) => saveTemplate(row, { ...values, kind: kind as 'Warden' }, options)}
      >
        {({ field, values, set }) => (
          <>
            <SelectField
              label={labels.kind}
              value={values.kind}
              options={kinds}
              onChange={(kind: string) => set({ kind })}
            />
            <TextArea
              label={labels.text}
              data-autofocus
              maxLength={limits.messageLength}
              hint={<TemplateHint {...values} />}
              ref={textField}
              {...field('text')}
            />
            {values.kind === 'Evacuee' && (
              <InsertLink field={textField} text={values.text} onChange={(text) => set({ text })} />
            )}
            {values.kind === 'Evacuee' && (
              <Checkbox
                label="Coded answer: asks people to answer safe, unknown or danger with a number"
                checked={values.coded_answer}
                onChange={(coded_answer) => set({ coded_answer })}
              />
            )}
            <Checkbox label={labels.in_use} checked={values.in_use} onChange={(in_use) => set({ in_use })} />
          </>
        )}
      </RowDialog>
    </>,
  )
}

/** What the text costs, and what its placeholder is. */
const TemplateHint = ({ kind, text }: { kind: string; text: string }) => (
  <span>
    <Segments text={text} />
    {kind === 'Evacuee' && (
      <span className="block">
        <AboutLink text={text} />
      </span>
    )}
  </span>
)
