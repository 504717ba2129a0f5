import { infiniteQueryOptions, keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { FolderOptions, WatchFolder } from '#api/desktop/folders.ts';
import { albumsQuery } from '#renderer/albums/albums.ts';
import type { Explanation } from '#renderer/service/explain.ts';
import { limitsQuery } from '#renderer/service/queries.ts';

const FOLDERS = ['desktop', 'folders'] as const;
/** Events loaded at once. */
const PAGE = 50;

/** The watch folders of this computer, kept current by the app. */
export function useFolders(bridge: DesktopBridge) {
  const queryClient = useQueryClient();
  useEffect(
    () =>
      bridge.onFolders((folders) => {
        const before = queryClient.getQueryData<WatchFolder[]>(FOLDERS);
        queryClient.setQueryData(FOLDERS, folders);
        if (before && uploadedBy(before) === uploadedBy(folders)) return;
        // Uploads create albums and take up storage.
        void queryClient.invalidateQueries({ queryKey: albumsQuery.queryKey });
        void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
      }),
    [bridge, queryClient],
  );
  return useQuery({ queryKey: FOLDERS, queryFn: () => bridge.getFolders() });
}

const uploadedBy = (folders: readonly WatchFolder[]) => folders.reduce((sum, { counts }) => sum + counts.uploaded, 0);

/** The system's folder for screenshots, if it can be offered. */
export const screenshotsQuery = (bridge: DesktopBridge, folders: readonly WatchFolder[]) =>
  queryOptions({
    queryKey: ['desktop', 'screenshots', folders.map(({ path }) => path)],
    queryFn: () => bridge.offerScreenshots(),
  });

/** What a folder holds before anything is uploaded from it. */
export const previewQuery = (bridge: DesktopBridge, path: string, options: FolderOptions, id: string | undefined) => {
  const { recursive, include, ignore, after } = options;
  return queryOptions({
    queryKey: ['desktop', 'folder-preview', path, id, recursive, include, ignore, after],
    queryFn: () => bridge.previewFolder({ path, options, id }),
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
  });
};

/** What happened to the files of a folder, latest first. */
export const eventsQuery = (bridge: DesktopBridge, id: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['desktop', 'folder-events', id, search],
    queryFn: ({ pageParam }) => bridge.getFolderEvents({ id, search, limit: PAGE, ...(pageParam !== 0 && { before: pageParam }) }),
    initialPageParam: 0,
    getNextPageParam: ({ items, more }) => (more ? items.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** Changes to watch folders. */
export function useFolderActions(bridge: DesktopBridge) {
  const queryClient = useQueryClient();
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: FOLDERS });
  return {
    add: useMutation({ mutationFn: (folder: { path: string; options: FolderOptions }) => bridge.addFolder(folder), onSuccess }),
    change: useMutation({
      mutationFn: ({ id, options }: Pick<WatchFolder, 'id' | 'options'>) => bridge.changeFolder(id, options),
      onSuccess,
    }),
    pause: useMutation({ mutationFn: (change: { paused: boolean; id?: string }) => bridge.pauseFolders(change), onSuccess }),
    remove: useMutation({ mutationFn: (id: string) => bridge.removeFolder(id), onSuccess }),
    rescan: useMutation({ mutationFn: (id: string) => bridge.rescanFolder(id), onSuccess }),
    repoint: useMutation({
      mutationFn: async (id: string) => {
        const path = await bridge.chooseFolder();
        return path === null ? undefined : bridge.repointFolder(id, path);
      },
      onSuccess,
    }),
  };
}

/** The app's errors are sentences for users. */
export function explainApp(error: unknown): Explanation {
  return { what: error instanceof Error ? error.message : String(error), next: '' };
}

/** Some paths, with a sign where there are more. */
export const someOf = ({ count, names }: { count: number; names: readonly string[] }): string =>
  [...names, ...(count > names.length ? ['…'] : [])].join(', ');
