/// <reference lib="dom" />
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('root') as HTMLElement).render(createElement('h1', null, 'Hello, world'))
