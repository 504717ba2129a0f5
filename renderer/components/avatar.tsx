import { useState } from 'react';
import classes from './avatar.module.css';

interface Props {
  user: { username: string; avatar_url: string | null };
  /** In pixels. */
  size: number;
}

/** From this size on, screens with a high resolution show more than the small picture has. */
const LARGE = 36;

/** A user's picture, or their initial. Decorative, since the name stands beside it. */
export function Avatar({ user: { username, avatar_url }, size }: Props) {
  const [missing, setMissing] = useState<string>();
  const box = { width: size, height: size };
  // A list may be older than the change of an avatar.
  if (avatar_url !== null && avatar_url !== missing) {
    const src = size >= LARGE ? `${avatar_url}&size=256` : avatar_url;
    return <img src={src} alt="" {...box} className={classes.avatar} loading="lazy" onError={() => setMissing(avatar_url)} />;
  }
  return (
    <span className={classes.avatar} style={{ ...box, fontSize: size * 0.44, background: colorOf(username) }} aria-hidden="true">
      {[...username][0]?.toUpperCase()}
    </span>
  );
}

/** A colour of the same lightness for every name, on which white is readable. */
function colorOf(name: string): string {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + Number(character.codePointAt(0))) % 360;
  return `oklch(0.5 0.1 ${hash})`;
}
