import { X } from 'lucide-react'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import { drawIcon } from './draw-icon.ts'

const lines = ['M18 6 6 18', 'm6 6 12 12']
const Own = drawIcon({ node: lines.map((d) => ['path', { d }]) })

test.each([{}, { size: 18, className: 'shrink-0', 'aria-hidden': true }])(
  'UI the build draws an icon as lucide does: %o',
  async (props) => {
    const { container } = await render(
      <>
        <X {...props} />
        <Own {...props} />
      </>,
    )
    const [theirs, ours] = [...container.querySelectorAll('svg')].map((svg) => {
      const named = svg.getAttributeNames().filter((name) => !['xmlns', 'class'].includes(name))
      return { look: Object.fromEntries(named.map((name) => [name, svg.getAttribute(name)])), shapes: svg.innerHTML }
    })
    expect(ours).toEqual(theirs)
  },
)
