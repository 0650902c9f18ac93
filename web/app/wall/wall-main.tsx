import './wall.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Wall } from '#features/board/web/wall/wall.tsx'
import { DrillBanner } from '../notices/drill-banner.tsx'

// Dark, unless the address says otherwise. What someone chose for the app in this browser is not asked.
const theme = new URLSearchParams(location.search).get('theme')
document.documentElement.dataset.theme = theme === 'light' ? 'light' : 'dark'

/** A larger or smaller screen shows the same picture, scaled: it is read from as far. */
const scale = () => {
  const [width, height] = innerWidth < innerHeight ? [1080, 1920] : [1920, 1080]
  document.documentElement.style.setProperty('--wall', String(Math.min(innerWidth / width, innerHeight / height)))
}
addEventListener('resize', scale)
scale()
// another link in the same window is another screen
addEventListener('hashchange', () => location.reload())

const element = document.getElementById('root')
if (!element) throw new Error('wall.html has no #root')
createRoot(element).render(
  <StrictMode>
    <Wall token={location.hash.slice(1)} drillBar={(isDrill) => <DrillBanner isDrill={isDrill} />} />
  </StrictMode>,
)
