/** The script of the page that `axios-jitter lab` and `simulate --html` write. It runs in browsers, from the page alone. */
import { startLaboratory } from './page/laboratory';

startLaboratory();
