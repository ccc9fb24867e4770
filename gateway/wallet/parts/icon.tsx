const PATHS = {
  home: 'M4 11l8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  receive: 'M12 4v12m0 0l-5-5m5 5l5-5M5 20h14',
  send: 'M12 20V8m0 0l-5 5m5-5l5 5M5 4h14',
  activity: 'M5 7h14M5 12h14M5 17h9',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7 8c.6-3.3 3.4-5 7-5s6.4 1.7 7 5',
  done: 'M5 12.5l4.5 4.5L19 7.5',
  warn: 'M12 4l9 16H3zM12 10v4m0 3v.1',
  key: 'M14.5 13.5a4.5 4.5 0 1 0-4.2-3L4 17v3h3v-2h2v-2h2l1.3-2.800a4.5 4.5 0 0 0 2.200.3zM15.5 8.5h.010',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  pools: 'M4 8c2.7-2 5.3-2 8 0s5.3 2 8 0M4 13c2.7-2 5.3-2 8 0s5.3 2 8 0M4 18c2.7-2 5.3-2 8 0s5.3 2 8 0',
  cash: 'M3 7h18v10H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6 10v4M18 10v4',
  apps: 'M5 5h6v6H5zM13 5h6v6h-6zM5 13h6v6H5zM16 13v6M13 16h6',
  swap: 'M7 7h12l-3-3M17 17H5l3 3',
} as const

export type IconName = keyof typeof PATHS

/** A sign of 24 by 24; the word beside it says the same. */
export function Icon({ name, size = 22 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
