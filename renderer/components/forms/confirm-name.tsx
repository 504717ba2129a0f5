import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from '#renderer/i18n/t.ts';

/** Asks for a name to be typed before something is deleted. `confirmed` returns whether it was, and shows that it wasn't. */
export function useConfirmName(name: string) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState(false);
  const matches = typed.trim() === name;
  const field = (
    <TextInput
      label={t('common.typeName', { name })}
      autoComplete="off"
      spellCheck={false}
      value={typed}
      error={refused && !matches && t('common.typeNameWrong')}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
  return {
    field,
    typed: typed !== '',
    confirmed: () => {
      setRefused(true);
      return matches;
    },
  };
}
