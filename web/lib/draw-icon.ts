import type { LucideProps } from 'lucide-react'
import { type ComponentType, createElement, type SVGAttributes } from 'react'

interface IconData {
  node: readonly (readonly [tag: string, attributes: SVGAttributes<SVGElement>])[]
}

const look = {
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
  'aria-hidden': true,
}

/** The build puts this in the place of what lucide draws its icons with (web/first-load.ts): we use its size and its class only. */
export function drawIcon({ node }: IconData): ComponentType<LucideProps> {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return ({ size = 24, ...rest }) => createElement('svg', { ...look, width: size, height: size, ...rest }, ...shapes)
}
