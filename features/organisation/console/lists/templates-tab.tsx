import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import * as limits from '#kernel/limits.ts'
import { type Field, Fields } from '#web/console/form/fields.tsx'
import type { Frame } from '#web/console/page-frame.tsx'
import { AboutLink, InsertLink } from '#web/ui/fields/insert-link.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import type { TemplateRow } from '../../calls/lists.ts'
import { ListTab } from './list-tab.tsx'
import { saveTemplate, templatesQuery } from './lists.data.ts'
import { Segments } from './segments.tsx'

const kindWords = { Warden: 'To wardens', Evacuee: 'To occupants' }
const kinds = (['Warden', 'Evacuee'] as const).map((value) => ({ value, label: kindWords[value] }))
const begun = { kind: 'Warden' as TemplateRow['kind'], text: '', coded_answer: false, in_use: true }

const fields: Record<keyof typeof begun, Field<typeof begun>> = {
  kind: { label: 'Kind', options: kinds },
  text: { label: 'Text' },
  coded_answer: {
    label: 'Coded answer',
    tick: 'Coded answer: asks people to answer safe, unknown or danger with a number',
    when: ({ kind }) => kind === 'Evacuee',
  },
  in_use: { label: 'In use' },
}

/** Prepared messages. */
export function TemplatesTab({ frame }: { frame: Frame }) {
  const textField = useRef<HTMLTextAreaElement>(null)
  return (
    <ListTab
      frame={frame}
      label="Templates"
      what="template"
      read={useQuery(templatesQuery)}
      queryKey={templatesQuery.queryKey}
      nameHead="Text"
      nameOf={({ text }) => text}
      columns={[
        { head: 'Kind', cell: ({ kind }) => kindWords[kind] },
        { head: 'Answer', cell: ({ coded_answer }) => (coded_answer ? 'Coded answer' : '') },
      ]}
      empty="There are no templates yet."
      begun={begun}
      fields={fields}
      save={saveTemplate}
    >
      {(form) => (
        <>
          <Fields of={fields} form={form} only={['kind']} />
          <TextArea
            label={fields.text.label}
            data-autofocus
            maxLength={limits.messageLength}
            hint={<TemplateHint {...form.values} />}
            ref={textField}
            {...form.field('text')}
          />
          {form.values.kind === 'Evacuee' && (
            <InsertLink field={textField} text={form.values.text} onChange={(text) => form.set({ text })} />
          )}
          <Fields of={fields} form={form} only={['coded_answer', 'in_use']} />
        </>
      )}
    </ListTab>
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
