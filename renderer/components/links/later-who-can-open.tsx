import { type ComponentProps, lazy, Suspense } from 'react';
import { load } from '#renderer/service/connection.ts';
import type { WhoCanOpen } from './who-can-open.tsx';

const Loaded = lazy(() => load(() => import('./who-can-open.tsx')).then((module) => ({ default: module.WhoCanOpen })));

/** The same in a notice, for which no page waits. */
export function LaterWhoCanOpen(props: ComponentProps<typeof WhoCanOpen>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
