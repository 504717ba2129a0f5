import { IconFolderPlus, IconFolderSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import { FolderState } from '#renderer/features/folders/folder-state.tsx';
import { useFolders } from '#renderer/features/folders/folders.ts';
import classes from './joined.module.css';

/** Folders that are named; the page about them has all. */
const MAX_NAMED = 4;

/** The watch folders in a line, which leads to their page. */
export function FolderLine({ bridge }: { bridge: DesktopBridge }) {
  const { t } = useTranslation();
  const { t: tPage } = useTranslation('desktop');
  const { data: folders } = useFolders(bridge);
  if (!folders) return null;
  const more = folders.length - MAX_NAMED;
  return (
    <section className={classes.folders} aria-label={t('nav.folders')}>
      {folders.slice(0, MAX_NAMED).map(({ id, name, path, status: { state } }) => (
        <a key={id} href="#folders" className={classes.folder} title={path}>
          <IconFolderSearch size={18} stroke={1.7} aria-hidden />
          <span className={classes.folderName}>{name}</span>
          <FolderState state={state} />
        </a>
      ))}
      <a href="#folders" className={classes.folder} data-more>
        <IconFolderPlus size={18} stroke={1.7} aria-hidden />
        {more > 0 ? tPage('joined.moreFolders', { count: more }) : tPage(folders.length > 0 ? 'joined.manageFolders' : 'joined.addFolder')}
      </a>
    </section>
  );
}
