import { type ComponentProps, lazy, Suspense } from 'react';
import { load } from '#renderer/service/connection.ts';
import type { SendDialog } from './send-dialog.tsx';

const Loaded = lazy(() => load(() => import('./send-dialog.tsx')).then((module) => ({ default: module.SendDialog })));

/** Sends pictures to people and groups of this server. */
export function LaterSendDialog(props: ComponentProps<typeof SendDialog>) {
  return (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
