import { useQuery } from '@tanstack/react-query'
import { checklist } from '#features/records/words.ts'
import * as limits from '#kernel/limits.ts'
import type { Frame } from '#web/console/page-frame.tsx'
import { ListTab } from './list-tab.tsx'
import { checklistQuery, orderItems, saveItem } from './lists.data.ts'

/** What observers answer during and after an event. */
export const ChecklistTab = ({ frame }: { frame: Frame }) => (
  <ListTab
    frame={frame}
    label="Checklist"
    what="item of the checklist"
    read={useQuery(checklistQuery)}
    queryKey={checklistQuery.queryKey}
    nameHead="Item"
    nameOf={({ text }) => text}
    empty="You have not added any items yet."
    above={(rows) => (
      <>
        <p className="text-sm text-muted">
          Observers answer each item with Yes, No or Not seen. Answers in records keep the wording that was asked.
        </p>
        {rows?.every(({ in_use }) => !in_use) && <Preset />}
      </>
    )}
    begun={{ text: '', in_use: true }}
    fields={{
      text: { label: 'Item', maxLength: limits.checklistTextLength, 'data-autofocus': true },
      in_use: { label: 'In use' },
    }}
    save={saveItem}
    order={orderItems}
  />
)

/** What is asked until the organisation has items of its own. */
const Preset = () => (
  <section aria-labelledby="preset-items" className="card grid grid-cols-1 gap-2">
    <h2 id="preset-items" className="font-semibold">
      These {checklist.length} items are asked until you add your own
    </h2>
    <ul className="list-disc pl-5">
      {checklist.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  </section>
)
