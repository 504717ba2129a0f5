import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_SENDER_LENGTH } from '#api/constants.ts';
import { TextField } from '#renderer/plain/field.tsx';
import { keepName, senderOf, tellName } from './sender.ts';

/** Milliseconds without another letter. */
const TYPING_PAUSE = 800;

/** The sender's name, kept for the next visit. It also counts for what has been sent before it was typed. */
export function Name({ id, isSending }: { id: string; isSending: boolean }) {
  const { t } = useTranslation();
  const [name, setName] = useState(() => senderOf(id).name);
  const told = useRef(name);
  useEffect(() => {
    // While pictures are being sent, it goes with them: they are one batch.
    if (isSending || name === told.current || senderOf(id).sent.length === 0) return;
    const tell = () => {
      told.current = name;
      void tellName(id);
    };
    const timer = setTimeout(tell, TYPING_PAUSE);
    window.addEventListener('pagehide', tell);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', tell);
    };
  }, [id, name, isSending]);
  return (
    <TextField
      label={t('sending.name')}
      description={t('sending.nameHint')}
      value={name}
      maxLength={MAX_SENDER_LENGTH}
      autoComplete="name"
      size="md"
      onChange={(event) => {
        setName(event.currentTarget.value);
        keepName(id, event.currentTarget.value);
      }}
    />
  );
}
