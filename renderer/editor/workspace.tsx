import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Edit } from '#renderer/editor/edit.ts';
import type { Source } from '#renderer/editor/picture/source.ts';
import { Stage } from '#renderer/editor/stage/stage.tsx';
import { useTranslation } from '#renderer/i18n/t.ts';
import type { ReadText } from './cover-text/cover-text.tsx';
import classes from './editor.module.css';
import { EditorHelp } from './editor-help.tsx';
import { HistoryButtons } from './history-buttons.tsx';
import { Options } from './options.tsx';
import { Toolbar } from './toolbar.tsx';
import { useEditor } from './use-editor.ts';
import { useEditorKeys } from './use-keys.ts';

interface FrameProps {
  /** What the picture is called; `name` is shown in full when pointing at it. */
  title: string;
  name: string;
  onClose: () => void;
  /** Buttons at the end of the bar. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The bar with the name of the picture, and what is below it. */
export function WorkspaceFrame({ title, name, onClose, actions, children }: FrameProps) {
  const { t } = useTranslation('editor');
  return (
    <div className={classes.editor} data-editor>
      <div className={classes.bar}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="xl"
          radius="xl"
          aria-label={t('back')}
          title={t('back')}
          onClick={onClose}
          data-autofocus
        >
          <IconArrowLeft size={22} />
        </ActionIcon>
        <h2 className={classes.name} title={name} dir="auto">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </div>
  );
}

interface Props extends Omit<FrameProps, 'children'> {
  source: Source;
  edit: Edit;
  /** Reads the text of the picture, for covering it. */
  readText?: ReadText | undefined;
  /** While the picture is saved, the keys do nothing. */
  isBusy: boolean;
  /** Ctrl+S */
  onSave: () => void;
  /** A line above the options, such as why saving failed. */
  notice?: ReactNode;
  /** What covers everything while the picture is saved. */
  children?: ReactNode;
}

/** Tools, picture and options: everything with which a picture is edited. What happens to the result is up to the page around it. */
export function Workspace({ source, edit, readText, isBusy, onSave, notice, actions, children, ...frame }: Props) {
  const editor = useEditor(edit, source.size);
  const [help, { open: onHelp, close: closeHelp }] = useDisclosure();
  useEditorKeys(editor, { isBusy, onClose: frame.onClose, onHelp, onSave });
  return (
    <WorkspaceFrame
      {...frame}
      actions={
        <>
          <HistoryButtons editor={editor} />
          {actions}
        </>
      }
    >
      <Toolbar editor={editor} />
      <Stage source={source} editor={editor} />
      <div className={classes.foot} data-keeps-text>
        {notice}
        <Options editor={editor} readText={readText} />
      </div>
      {children}
      {help && <EditorHelp onClose={closeHelp} />}
    </WorkspaceFrame>
  );
}
