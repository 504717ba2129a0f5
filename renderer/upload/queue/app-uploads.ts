import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { FormFields } from '#api/images/upload.ts';
import { desktopBridge } from '#renderer/platform/bridge.ts';
import { getPreferences } from '#renderer/preferences/preferences.ts';
import type { NamedFile } from '#renderer/upload/incoming.ts';

const appUploadsQuery = (bridge: DesktopBridge | undefined) =>
  queryOptions({
    queryKey: ['desktop', 'uploads', 'status'],
    queryFn: bridge ? () => bridge.getUploadStatus() : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The state of the desktop app's own queue, kept up to date; undefined in a browser. */
export function useAppUploads() {
  const bridge = desktopBridge();
  const queryClient = useQueryClient();
  useEffect(
    () => bridge?.onUploadStatus((status) => queryClient.setQueryData(appUploadsQuery(bridge).queryKey, status)),
    [bridge, queryClient],
  );
  return useQuery(appUploadsQuery(bridge)).data;
}

/**
 * Hands files to the desktop app's queue, which outlives the page and survives an app restart. Undefined where the page sends files itself: in a
 * browser, and in the app's window while a user other than the one the app uploads for is signed in there.
 */
export function useAppQueue(user: number | undefined) {
  const bridge = desktopBridge();
  const account = useAppUploads()?.userId;
  const send = useCallback(
    async (files: readonly NamedFile[], fields: FormFields, copy: boolean) => {
      // Files from the disk keep their own names; the name given to a pasted picture goes with it.
      const named = files.map(({ file, name }) => (file.name === name ? file : new File([file], name, { type: file.type })));
      await bridge?.uploadFiles(named, { fields, copy: copy && getPreferences().copyAfterUpload });
    },
    [bridge],
  );
  return bridge && user !== undefined && user === account ? send : undefined;
}
