import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { QrCode } from './qr-code.tsx'

test('UI a code has four modules of white around it, also on a dark page', async () => {
  await render(<QrCode text="https://evac.test/s/ABCD2345" label="QR code" />)
  const code = page.getByRole('img', { name: 'QR code' }).element() as SVGSVGElement
  const [white, black] = [...code.querySelectorAll('path')].map((path) => path.getBBox())
  const { size } = encode('https://evac.test/s/ABCD2345', { ecc: 'L', border: 0 })

  expect([white?.x, white?.width]).toEqual([0, size + 8])
  expect([black?.x, black?.y, black?.width]).toEqual([4, 4, size])
})
