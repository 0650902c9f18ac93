export type FlagName = 'AU' | 'NZ' | 'US' | 'GB'

/**
 * A picture, because most desktops show letters where an emoji flag should be; a file, so that the program stays small.
 * Always beside the country's own words.
 */
export function Flag({ name }: { name: FlagName }) {
  return (
    <img
      alt=""
      data-flag={name}
      src={`/flags/${name.toLowerCase()}.svg`}
      width="30"
      height="20"
      className="h-5 shrink-0 rounded-[3px] border border-line object-cover"
    />
  )
}
