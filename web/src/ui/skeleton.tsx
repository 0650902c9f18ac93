import { useLoadingWords, useOnline } from '../lib/use-online.ts'

export interface SkeletonProps {
  /** What the page or list will be made of, from top to bottom. */
  parts?: readonly (keyof typeof shapes)[] | undefined
}

/** A frame, then its blocks, in four columns. */
const shapes = {
  /** Name, the wide status button, message and call. */
  person: ['card', 'col-span-3 h-5', 'col-span-2 col-start-1 h-13', 'h-13', 'h-13'],
  /** A card of one line that opens or leads on. */
  line: ['card', 'col-span-2 h-5', 'col-span-3 col-start-1 h-4'],
  /** A card with facts and two buttons. */
  card: ['card', 'col-span-3 h-6', 'col-span-2 col-start-1 h-5', 'col-span-4 h-13', 'col-span-4 h-13'],
  /** A label with its field. */
  field: ['', 'h-4', 'col-span-4 h-13'],
  /** Three fields beside each other. */
  fields: ['', 'h-13', 'h-13', 'col-span-2 h-13'],
  /** The headings of two sections beside each other. */
  headings: ['', 'col-span-2 h-13', 'col-span-2 h-13'],
  /** Shares beside each other. */
  bar: ['', 'col-span-4 h-4'],
  counters: ['', 'h-13', 'h-13', 'h-13', 'h-13'],
  /** A message of somebody else. */
  theirs: ['', 'col-span-3 h-15'],
  /** One's own message. */
  own: ['', 'col-span-3 col-start-2 h-15'],
}

/**
 * The outline of a list or page while it loads, in its shape (UX-83). Never invented names or numbers. Without signal
 * nothing loads (UX-71).
 */
export function Skeleton({ parts = ['person', 'person', 'person'] }: SkeletonProps) {
  const isOnline = useOnline()
  const words = useLoadingWords()
  return (
    <div className="grid gap-3">
      <p role="status" className={isOnline ? 'text-muted' : 'py-8 text-center text-lg'}>
        {words}
      </p>
      {isOnline &&
        parts.map((part, at) => {
          const [frame, ...blocks] = shapes[part]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts never move
            <div key={at} aria-hidden data-part={part} className={`grid grid-cols-4 gap-2 ${frame}`}>
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
