import { ActionIcon } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { useTranslation } from '#renderer/i18n/t.ts';
import { withCommand } from '#renderer/platform/clipboard.ts';
import type { Editor } from './use-editor.ts';

/** Undo and redo. */
export function HistoryButtons({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor');
  const look = { variant: 'subtle', color: 'gray', size: 'xl', radius: 'xl' } as const;
  return (
    <>
      <ActionIcon
        {...look}
        aria-label={t('undo')}
        title={`${t('undo')} (${withCommand('Z')})`}
        disabled={!editor.canUndo}
        onClick={editor.undo}
      >
        <IconArrowBackUp size={22} />
      </ActionIcon>
      <ActionIcon
        {...look}
        aria-label={t('redo')}
        title={`${t('redo')} (${withCommand('Shift+Z')})`}
        disabled={!editor.canRedo}
        onClick={editor.redo}
      >
        <IconArrowForwardUp size={22} />
      </ActionIcon>
    </>
  );
}
