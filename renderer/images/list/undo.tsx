import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import type { useNotice } from '#renderer/components/notices/use-notice.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { isTyping } from '#renderer/images/typing.ts';

let last: (() => void) | undefined;

/** Makes this what Ctrl+Z does next, once. */
export function rememberUndo(undo: () => void): void {
  last = undo;
}

/** Forgets an action that has been undone in another way. */
function forgetUndo(undo: () => void): void {
  if (last === undo) last = undefined;
}

/** Long enough to read it and to find the button or the link. */
export const UNDO_MS = 12_000;

interface Done {
  title: string;
  text?: string;
  /** Beside the button. */
  link?: ReactNode;
}

/** Reports what has been done, and lets it be undone, once, by the button and by Ctrl+Z. */
export function offerUndo(notice: ReturnType<typeof useNotice>, { title, text, link }: Done, run: () => unknown): void {
  const undo = () => {
    forgetUndo(undo);
    notice.hide();
    run();
  };
  rememberUndo(undo);
  const message = (
    <>
      {text}
      <Group gap="md" mt={4}>
        <UndoButton onClick={undo} />
        {link}
      </Group>
    </>
  );
  notice.show({ title, message, autoClose: UNDO_MS });
}

function UndoButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <Button size="compact-sm" variant="light" onClick={onClick}>
      {t('library.undo')}
    </Button>
  );
}

/** Lets Ctrl+Z undo the last action of the page, except while typing. */
export function useUndoKey(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const command = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (event.defaultPrevented || !command || event.key.toLowerCase() !== 'z' || isTyping(event.target) || !last) return;
      event.preventDefault();
      const undo = last;
      last = undefined;
      undo();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
