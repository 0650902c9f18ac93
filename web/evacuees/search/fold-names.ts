import { isNamed } from '#kernel/name-fold.ts'
import { findNamesBy } from './find-names.ts'

// From now on a search on this phone finds names as the server does, however they are spelt: 0.5 kB gz that the first sight does without.
findNamesBy(isNamed)
