import { useLoadingWords, useOnline } from '../lib/use-online.ts'

type Parts = readonly (keyof typeof shapes)[]

export interface SkeletonProps {
  /** What the page or list will be made of, from top to bottom. */
  parts?: Parts | undefined
  /** What stands beside these where there is room for two columns. */
  beside?: Parts
}

/** A frame, then its blocks, in four columns. Cards stand beside each other where their lists do. */
const shapes = {
  /** Name, the wide status button, message and call. */
  person: ['card', 'col-span-3 h-5', 'col-span-2 col-start-1 h-13', 'h-13', 'h-13'],
  /** Name, role and status; message and call beside them. */
  contact: [
    'card items-center',
    'col-span-2 h-5',
    'row-span-3 h-13',
    'row-span-3 h-13',
    'col-span-2 h-4',
    'col-span-2 h-7',
  ],
  /** A card of one line that opens or leads on. */
  line: ['card col-span-full', 'col-span-2 h-5', 'col-span-3 col-start-1 h-4'],
  /** A card with facts and two buttons. */
  card: ['card', 'col-span-3 h-6', 'col-span-2 col-start-1 h-5', 'col-span-4 h-13', 'col-span-4 h-13'],
  /** Name and fact, two buttons beside each other. */
  buttons: [
    'card col-span-full',
    'col-span-3 h-6',
    'col-span-2 col-start-1 h-5',
    'col-span-2 col-start-1 h-13',
    'col-span-2 h-13',
  ],
  /** A heading with three boxes to tick. */
  choices: ['card', 'col-span-3 my-2 h-6', ...Array<string>(3).fill('col-span-2 col-start-1 my-3 ml-6 h-5')],
  /** A label with its field. */
  field: ['col-span-full', 'h-4', 'col-span-4 h-13'],
  /** A label with its field of several lines. */
  text: ['col-span-full', 'h-4', 'col-span-4 h-28'],
  /** Three fields beside each other. */
  fields: ['col-span-full', 'h-13', 'h-13', 'col-span-2 h-13'],
  /** Three buttons of one size, as many beside each other as fit. */
  filters: ['col-span-full grid-cols-[repeat(auto-fit,minmax(8rem,1fr))]!', 'h-13', 'h-13', 'h-13'],
  /** The headings of two sections, or two tabs, beside each other. */
  headings: ['col-span-full', 'col-span-2 h-13', 'col-span-2 h-13'],
  /** A search field with its refresh button. */
  search: ['col-span-full', 'col-span-3 h-13', 'h-13'],
  /** Shares beside each other. */
  bar: ['col-span-full', 'col-span-4 h-4'],
  counters: ['col-span-full', 'h-13', 'h-13', 'h-13', 'h-13'],
  /** A message of someone else. */
  theirs: ['col-span-full', 'col-span-3 h-15'],
  /** One's own message. */
  own: ['col-span-full', 'col-span-3 col-start-2 h-15'],
}

/**
 * The outline of a list or page while it loads, in its shape. Never invented names or numbers. Without signal
 * nothing loads.
 */
export function Skeleton({ parts = ['person', 'person', 'person'], beside }: SkeletonProps) {
  const isOnline = useOnline()
  const words = useLoadingWords()
  return (
    <div className="grid gap-3">
      <p role="status" className={isOnline ? 'text-muted' : 'py-8 text-center text-lg'}>
        {words}
      </p>
      <div className={`grid items-start gap-3 ${beside ? 'wide:grid-cols-2 wide:gap-5' : ''}`}>
        <Outline parts={parts} />
        {beside && <Outline parts={beside} />}
      </div>
    </div>
  )
}

/** The outline alone, for a part of a page that says elsewhere that it loads. */
export function Outline({ parts }: { parts: Parts }) {
  if (!useOnline()) return null
  return (
    <div aria-hidden className="cards gap-3">
      {parts.map((part, at) => {
        const [frame, ...blocks] = shapes[part]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
          <div key={at} data-part={part} className={`grid grid-cols-4 gap-2 ${frame}`}>
            {blocks.map((block, nth) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the blocks never move
              <div key={nth} className={`skeleton ${block}`} />
            ))}
          </div>
        )
      })}
    </div>
  )
}
