// Where `lib` has disposables.
import axios from 'axios';
import { attachRetry } from 'axios-jitter';

export function scoped(): void {
  using handle = attachRetry(axios.create());
  handle.detach();
}
