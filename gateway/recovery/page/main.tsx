import { createRoot } from 'react-dom/client'
import '../../wallet/style.css'
import './style.css'
import { App } from './app.tsx'

const root = document.querySelector('#root')
if (root) createRoot(root).render(<App />)
