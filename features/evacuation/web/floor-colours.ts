/** The organisation's colour names. The name of the status is always beside the colour. */
const colours: Record<string, { stripe: string; fill: string }> = {
  green: { stripe: 'border-l-green', fill: 'bg-green' },
  yellow: { stripe: 'border-l-yellow', fill: 'bg-yellow' },
  red: { stripe: 'border-l-red', fill: 'bg-red' },
  orange: { stripe: 'border-l-orange', fill: 'bg-orange' },
  blue: { stripe: 'border-l-blue', fill: 'bg-blue' },
  grey: { stripe: 'border-l-grey', fill: 'bg-grey' },
}
const none = { stripe: 'border-l-line', fill: 'bg-raised' }

export const floorColour = (name: string | undefined) => colours[name?.toLowerCase() ?? ''] ?? none
