import { Textarea, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { ownEscape } from './own-escape.ts';

interface Props {
  label: string;
  hint: string;
  value: string;
  maxLength: number;
  /** Grows with its lines; Enter then starts a new one. */
  multiline?: boolean;
  onSave: (text: string) => void;
}

/** A text of an image that is saved when the field loses focus, and on Enter where it has one line. */
export function SavedText({ label, hint, value, maxLength, multiline, onSave }: Props) {
  const [text, setText] = useState(value);
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
  if (multiline) return <Textarea {...props} autosize minRows={2} maxRows={6} onChange={onChange} />;
  return <TextInput {...props} onChange={onChange} onKeyDown={onKeyDown} />;
}
