import { lazy, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './style.css'

const AppWindow = lazy(() => import('./app-window/app-window.tsx'))

const root = document.querySelector('#root')
const isWindow = location.pathname === '/wallet/connect'
if (root)
  createRoot(root).render(
    isWindow ? (
      <Suspense fallback={null}>
        <AppWindow />
      </Suspense>
    ) : (
      <App />
    ),
  )
