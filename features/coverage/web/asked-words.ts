import type { Gap } from './coverage.data.ts'

/** Of who was asked last. */
export const askTheNext = ({ name, said_no }: NonNullable<Gap['asked_before']>) =>
  said_no ? `${name} cannot take it. Ask the next?` : `No answer from ${name}. Ask the next?`
