import { Fragment, type ReactNode } from 'react'

/** A text whose words of over 24 letters break anywhere: without it one of them pushes a table off the screen. */
export function breakable(text: string): ReactNode {
  if (!/\S{25}/.test(text)) return text
  return text.split(/(\S{25,})/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn as a whole
    <Fragment key={at}>
      {at % 2 === 0
        ? part
        : [...new Intl.Segmenter().segment(part)].map(({ segment, index }) => (
            <Fragment key={index}>
              {segment}
              <wbr />
            </Fragment>
          ))}
    </Fragment>
  ))
}
