import { Button, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_ALT_LENGTH, MAX_CAPTION_LENGTH, MAX_TITLE_LENGTH } from '#api/constants.ts';
import type { Image } from '#api/images/images.ts';
import { cutText } from '#api/plain-text.ts';
import { ownEscape } from '#renderer/components/own-escape.ts';
import { useTranslation } from '#renderer/i18n/t.ts';
import { useText, wholeText } from '#renderer/images/text/picture-text.ts';
import { sessionQuery } from '#renderer/service/queries.ts';
import type { Change } from './use-change.ts';
import classes from './viewer.module.css';

/** An image's title, caption and alternative text. */
export function Descriptions({ image, change }: { image: Image; change: Change }) {
  const { t } = useTranslation();
  const text = useText(image);
  const draftOf = (field: string) => `pixdock.draft.${image.key}.${field}`;
  return (
    <Stack gap="sm" className={classes.fields}>
      <SavedText
        draft={draftOf('title')}
        label={t('picture.title')}
        hint={t('picture.titleHint')}
        value={image.title}
        maxLength={MAX_TITLE_LENGTH}
        onSave={(title) => change({ title })}
      />
      <SavedText
        draft={draftOf('caption')}
        label={t('picture.caption')}
        hint={t('picture.captionHint')}
        value={image.caption}
        maxLength={MAX_CAPTION_LENGTH}
        multiline
        onSave={(caption) => change({ caption })}
      />
      <SavedText
        draft={draftOf('alt')}
        label={t('picture.alt')}
        hint={t('picture.altHint')}
        value={image.alt}
        maxLength={MAX_ALT_LENGTH}
        multiline
        suggestion={text && cutText(wholeText(text.lines).replace(/\s+/g, ' '), MAX_ALT_LENGTH)}
        onSave={(alt) => change({ alt })}
      />
    </Stack>
  );
}

interface SavedTextProps {
  /** Where the session storage keeps the text when the session ends before it is saved. */
  draft: string;
  label: string;
  hint: string;
  value: string;
  maxLength: number;
  /** Grows with its lines; Enter then starts a new one. */
  multiline?: boolean;
  /** Offered while the field is empty. */
  suggestion?: string | undefined;
  onSave: (text: string) => void;
}

/** A text of an image that is saved when the field loses focus, on Enter where it has one line, and after the user has signed in again. */
function SavedText({ draft, label, hint, value, maxLength, multiline, suggestion, onSave }: SavedTextProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [kept] = useState(() => sessionStorage.getItem(draft));
  const [text, setText] = useState(kept ?? value);
  const [first] = useState(value);
  const restore = useEffectEvent(() => {
    if (kept === null) return;
    sessionStorage.removeItem(draft);
    if (kept.trim() !== value) onSave(kept.trim());
  });
  const keep = useEffectEvent(() => {
    if (text !== first && !queryClient.getQueryData(sessionQuery.queryKey)?.user) sessionStorage.setItem(draft, text);
  });
  useEffect(() => {
    restore();
    return keep;
  }, []);
  const props = {
    ...ownEscape,
    label,
    description: hint,
    size: 'sm',
    value: text,
    maxLength,
    onBlur: () => text.trim() !== value && onSave(text.trim()),
  };
  const onChange = (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) =>
    event.key === 'Enter' && !event.nativeEvent.isComposing && event.currentTarget.blur();
  const field = useRef<HTMLTextAreaElement>(null);
  const accept = () => {
    setText(suggestion ?? '');
    field.current?.focus();
  };
  if (multiline)
    return (
      <div>
        <Textarea ref={field} {...props} autosize minRows={2} maxRows={6} onChange={onChange} />
        {suggestion && text === '' && (
          <Button {...ownEscape} mt={6} size="compact-sm" variant="light" title={suggestion} onClick={accept}>
            {t('text.useAsAlt')}
          </Button>
        )}
      </div>
    );
  return <TextInput {...props} onChange={onChange} onKeyDown={onKeyDown} />;
}
