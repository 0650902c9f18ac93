/** A figure without a source, and why. */
export function None({ why }: { why: string }) {
  return (
    <span>
      –<span className="rec-why"> {why}</span>
    </span>
  )
}
