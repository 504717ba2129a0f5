import { Button, Checkbox, Group, Loader, Modal, ScrollArea, Stack, Text, TextInput } from '@mantine/core';
import { IconTextScan2 } from '@tabler/icons-react';
import { useEffect, useId, useState } from 'react';
import type { TextLine } from '#api/images/text.ts';
import { ErrorNotice } from '#renderer/components/notices/notice.tsx';
import type { Editor } from '#renderer/editor/use-editor.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useExplain } from '#renderer/service/explain.ts';
import { type Finding, findText } from './find.ts';

/** Reads the text of the picture that is edited; undefined where there is no way to. */
export type ReadText = (signal: AbortSignal) => Promise<readonly TextLine[]>;

interface Props {
  editor: Editor;
  readText: ReadText;
}

/** Covers e-mail addresses, numbers, tokens and any word in one step, after showing what was found. */
export function CoverText({ editor, readText }: Props) {
  const { t } = useTranslation('editor');
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconTextScan2 size={18} stroke={1.7} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('coverText.open')}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('coverText.title')} centered>
        {opened && <Found editor={editor} readText={readText} onDone={() => setOpened(false)} />}
      </Modal>
    </>
  );
}

function Found({ editor, readText, onDone }: Props & { onDone: () => void }) {
  const { t } = useTranslation('editor');
  const explain = useExplain();
  const { lines, error, retry } = useLines(readText);
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  if (error !== undefined) return <ErrorNotice explanation={explain(error)} onRetry={retry} />;
  if (!lines)
    return (
      <Group gap="sm">
        <Loader size="sm" />
        <Text size="sm">{t('coverText.reading')}</Text>
      </Group>
    );
  if (lines.length === 0) return <Text size="sm">{t('coverText.none')}</Text>;
  const findings = findText(lines, typed, editor.size);
  const chosen = findings.filter((finding) => !left.has(keyOf(finding)));
  const toggle = (finding: Finding) => {
    const next = new Set(left);
    if (!next.delete(keyOf(finding))) next.add(keyOf(finding));
    setLeft(next);
  };
  const cover = () => {
    editor.cover(chosen.map(({ rect }) => rect));
    onDone();
  };
  return (
    <Stack gap="sm">
      <TextInput
        data-autofocus
        label={t('coverText.word')}
        description={t('coverText.wordHint')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && chosen.length > 0 && cover()}
      />
      {findings.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('coverText.nothing')}
        </Text>
      ) : (
        <Findings findings={findings} left={left} onToggle={toggle} />
      )}
      <Text size="xs" c="dimmed">
        {t('coverText.check')}
      </Text>
      <Group justify="flex-end">
        <Button disabled={chosen.length === 0} onClick={cover}>
          {t('coverText.cover', { count: chosen.length })}
        </Button>
      </Group>
    </Stack>
  );
}

interface FindingsProps {
  findings: readonly Finding[];
  left: ReadonlySet<string>;
  onToggle: (finding: Finding) => void;
}

function Findings({ findings, left, onToggle }: FindingsProps) {
  const { t } = useTranslation('editor');
  const label = useId();
  return (
    <ScrollArea.Autosize mah="40dvh" type="auto" offsetScrollbars>
      <Stack gap={6} role="group" aria-labelledby={label}>
        <Text id={label} size="sm" fw={560}>
          {t('coverText.found')}
        </Text>
        {findings.map((finding) => (
          <Checkbox
            key={keyOf(finding)}
            label={finding.text}
            description={t(`coverText.kind.${finding.kind}`)}
            styles={{ label: { overflowWrap: 'anywhere' } }}
            checked={!left.has(keyOf(finding))}
            onChange={() => onToggle(finding)}
          />
        ))}
      </Stack>
    </ScrollArea.Autosize>
  );
}

const keyOf = ({ text, rect }: Finding) => `${text} ${rect.x} ${rect.y}`;

function useLines(readText: ReadText) {
  const [state, setState] = useState<{ lines?: readonly TextLine[]; error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt reads again
  useEffect(() => {
    const controller = new AbortController();
    setState({});
    readText(controller.signal).then(
      (lines) => !controller.signal.aborted && setState({ lines }),
      (error: unknown) => !controller.signal.aborted && setState({ error }),
    );
    return () => controller.abort();
  }, [readText, attempt]);
  return { ...state, retry: () => setAttempt(attempt + 1) };
}
