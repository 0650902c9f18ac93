import { createElement, type SVGProps } from 'react'

interface IconProps extends SVGProps<SVGSVGElement> {
  icon: { node: readonly [tag: string, attributes: Record<string, string>][] }
  size?: number
}

/** What lucide-react draws an icon with, without the settings that nobody here uses (vite.config.ts puts it in place). */
// biome-ignore lint/style/noDefaultExport: lucide-react asks for it so
export default function Icon({ icon, size = 24, className = '', ...rest }: IconProps) {
  return createElement(
    'svg',
    {
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      'aria-hidden': rest['aria-label'] === undefined,
      ...rest,
      className: `lucide ${className}`,
    },
    icon.node.map(([tag, attributes]) => createElement(tag, attributes)),
  )
}
