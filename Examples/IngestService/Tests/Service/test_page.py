"""The page, in a real Chromium: what is typed, what is shown, by keyboard alone, in the dark, enlarged, and with hostile text.

Pictures of it go into the folder that INGEST_PICTURES names, or into .build/pictures.
"""
import json
import os
import time
import unittest

from browser import CHROMIUM, Browser
from harness import PACKAGE, PEOPLE, TOKEN, Service, answer, eventually, people

PICTURES = os.environ.get("INGEST_PICTURES") or os.path.join(PACKAGE, ".build", "pictures")
MAPPING = "streammap: 1\nrecord:\n  id: { from: id, type: int64 }\n  name: name\n  tags: { from: tags, each: string, default: [] }\n"


@unittest.skipUnless(CHROMIUM, "chromium is not installed")
class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(PICTURES, exist_ok=True)
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.__exit__()

    def setUp(self):
        self.browser = Browser()
        self.addCleanup(self.browser.close)
        self.browser.size(1280, 1000)
        self.browser.open(f"http://127.0.0.1:{self.service.port}/")
        self.settle()

    def write(self, area, text):
        """Types over all of a text area, as a person does."""
        self.browser.value(f"document.getElementById('{area}').focus()")
        self.browser.press("a", modifiers=2)
        self.browser.value(f"document.getElementById('{area}').select()")
        self.browser.type(text)
        self.settle()

    def settle(self):
        """Waits until what is shown is of what was typed."""
        self.browser.wait("document.getElementById('result')?.getAttribute('aria-busy') === 'false'")

    def text(self, name):
        return self.browser.value(f"document.getElementById('{name}').innerText")

    def marked(self, editor):
        return self.browser.value(
            f"[...document.querySelectorAll('#{editor}-editor mark')].map((mark) => mark.textContent)")

    def test_typing_shows_records(self):
        self.write("mapping", MAPPING)
        self.write("sample", '{"id":1,"name":"Ann"}\n{"id":2,"name":"Böb"}\n')
        self.browser.wait("document.getElementById('mapped').children.length === 2 && document.getElementById('verdict').textContent.includes('2 mapped')")
        records = self.browser.value("[...document.querySelectorAll('#mapped summary')].map((line) => line.textContent)")
        self.assertEqual([json.loads(record) for record in records],
                         [{"id": 1, "name": "Ann", "tags": []}, {"id": 2, "name": "Böb", "tags": []}])
        self.assertIn("tags", self.text("missing"))
        self.browser.picture(os.path.join(PICTURES, "records.png"))

    def test_a_record_unfolds_and_stays_so(self):
        self.write("mapping", "streammap: 1\nrecord: { id: id, a: a, o: o, e: e, f: f, s: s }\n".replace(
            "a: a, o: o, e: e, f: f", "a: { from: a, type: json }, o: { from: o, type: json }, e: { from: e, type: json }, f: { from: f, type: json }"))
        row = '{"id":9007199254740993,"a":[1,[],1.50],"o":{"x":{},"y":[{"z":null}]},"e":[],"f":{},"s":"a, {\\"b\\": [1]}"}'
        self.write("sample", f'{{"id":1,"a":1,"o":1,"e":1,"f":1,"s":"A"}}\n{row}\n')
        self.browser.wait("document.querySelectorAll('#mapped li').length === 2")
        self.assertEqual(self.browser.value("document.querySelectorAll('#mapped details[open]').length"), 0)
        self.browser.value("document.querySelectorAll('#mapped summary')[1].focus()")
        self.browser.press("Enter")
        self.browser.wait("document.querySelectorAll('#mapped details')[1].open")
        # Digits stay as they are written.
        self.assertEqual(self.browser.value("document.querySelectorAll('#mapped pre')[1].textContent"), """{
  "id": 9007199254740993,
  "a": [
    1,
    [],
    1.50
  ],
  "o": {
    "x": {},
    "y": [
      {
        "z": null
      }
    ]
  },
  "e": [],
  "f": {},
  "s": "a, {\\"b\\": [1]}"
}""")
        self.browser.picture(os.path.join(PICTURES, "unfolded.png"))
        self.browser.value("document.getElementById('sample').focus()")
        self.browser.type(" ")
        self.settle()
        self.assertEqual(self.browser.value("[...document.querySelectorAll('#mapped details')].map((it) => it.open)"), [False, True])

    def test_a_reject_has_its_bytes_marked(self):
        self.write("mapping", MAPPING)
        self.write("sample", '{"id":1,"name":"Äöü😀"}\n{"name":"Böb😀","id":"two"}\n{"id":3,"name":"x" "y"}\n')
        self.browser.wait("document.querySelectorAll('#rejected li').length === 2")
        self.assertEqual(self.marked("sample")[0], '"two"')
        self.assertIn("line 2", self.text("rejected"))
        self.assertEqual(self.browser.value("document.querySelector('#rejected .excerpt mark').textContent"), '"two"')
        self.browser.value("document.querySelector('#rejected button').click()")
        selected = "(() => { const area = document.activeElement; return area.value.slice(area.selectionStart, area.selectionEnd) })()"
        self.assertEqual(self.browser.value(selected), '"two"')
        self.assertEqual(self.browser.value("document.querySelector('#sample').getAttribute('aria-invalid')"), "true")
        self.browser.picture(os.path.join(PICTURES, "reject.png"))

    def test_a_mistake_is_shown_at_its_line(self):
        self.write("mapping", "streammap: 1\nrecord:\n  id: { from: id, tpye: int64 }\n  name: { form: name }\n")
        self.browser.wait("document.querySelectorAll('#mistakes li').length === 2")
        self.assertIn("Line 3:", self.text("mistakes"))
        self.assertIn("Did you mean “type”?", self.text("mistakes"))
        self.assertEqual(self.marked("mapping"), ["tpye", "form"])
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('#mapping-editor .wrong')].map((line) => line.textContent)"), ["3", "4"])
        self.browser.value("document.querySelectorAll('#mistakes button')[1].click()")
        self.assertEqual(self.browser.value("document.activeElement.id"), "mapping")
        self.browser.picture(os.path.join(PICTURES, "mistake.png"))

    def test_yaml_that_is_none(self):
        for text in ("record: {", "\t", "", "- 1", "streammap: 1\nrecord: { a: { from: a, validate: { pattern: '(' } } }"):
            self.write("mapping", text)
            self.browser.wait("document.querySelectorAll('#mistakes li').length >= 1 && document.getElementById('verdict').textContent.includes('mistakes')")

    def test_a_path_that_the_sample_has_not(self):
        self.write("mapping", "streammap: 1\ninput: { records: '$.people[*]' }\nrecord: { id: id }\n")
        self.write("sample", '{"persons":[{"id":1}]}')
        self.browser.wait("document.getElementById('missing').textContent.includes('$.people[*]')")

    def test_an_empty_sample_is_said_to_be_empty(self):
        for mapping in (MAPPING, "streammap: 1\ninput: { records: '$[*]' }\nrecord: { id: id }\n"):
            self.write("mapping", mapping)
            for sample in (" \n ", ""):
                self.write("sample", sample)
                self.browser.wait("document.getElementById('verdict').textContent === 'The sample is empty.'")
                self.assertEqual(self.browser.value("document.querySelectorAll('#missing li, #rejected li, #mapped li, mark').length"), 0)

    def test_one_record_is_one_record(self):
        self.write("mapping", MAPPING)
        for count, said in ((1, "1 record: 1 mapped, 0 rejected."), (2, "2 records: 2 mapped, 0 rejected.")):
            self.write("sample", '{"id":1,"name":"Ann"}\n' * count)
            self.browser.wait(f"document.getElementById('verdict').textContent === '{said}'")

    def test_a_last_line_that_is_cut_is_marked(self):
        self.write("mapping", MAPPING)
        self.write("sample", '{"id":1,"name":"Änn"}\n{"id":2,"na')
        self.browser.wait("document.getElementById('verdict').textContent.includes('truncated')")
        self.assertEqual(self.marked("sample"), ['{"id":2,"na'])
        self.assertIn("line 2", self.text("rejected"))
        # One in the middle is a reject, and marked, too.
        self.write("mapping", MAPPING.replace("record:", "input: { format: ndjson }\nrecord:", 1))
        self.write("sample", '{"id":1,\n{"id":2}\n')
        self.browser.wait("document.querySelectorAll('#rejected li').length === 1")
        self.assertEqual(self.marked("sample"), ['{"id":1,'])
        document = "streammap: 1\ninput: { records: '$.people[*]' }\nrecord: { id: id }\n"
        self.write("mapping", document)
        self.write("sample", '{"people":[\n{"id":1},\n{"id":2}\n')
        self.browser.wait("document.getElementById('verdict').textContent.includes('truncated')")
        self.assertEqual(self.marked("sample"), ['{"id":2}'])

    def test_an_array_has_a_hint(self):
        self.write("mapping", MAPPING)
        self.write("sample", '[{"id":1},{"id":2}]')
        self.browser.wait("document.getElementById('verdict').textContent.includes('$[*]')")

    def test_a_service_that_is_away_and_comes_back(self):
        with Service() as service:
            self.browser.open(f"http://127.0.0.1:{service.port}/")
            self.settle()
            self.assertGreater(self.browser.value("document.querySelectorAll('#mapped li').length"), 0)
            service.stop()
            self.browser.value("document.getElementById('sample').focus()")
            self.browser.type(" ")
            self.browser.wait("document.getElementById('verdict').textContent === 'Not tried: the service does not answer.'")
            self.assertEqual(self.browser.value("document.querySelectorAll('#mapped li, #rejected li, #missing li, mark').length"), 0)
            self.browser.picture(os.path.join(PICTURES, "away.png"))
            with open(service.path("settings.json"), "w") as file:
                json.dump(dict(service.settings, port=service.port), file)
            service.start()
            # Without a key that is pressed.
            self.settle()
            self.assertGreater(self.browser.value("document.querySelectorAll('#mapped li').length"), 0)
            self.assertNotIn("Not tried", self.text("verdict"))

    def test_a_sample_from_a_file(self):
        path = self.service.path("sample.ndjson")
        with open(path, "w") as file:
            file.write('{"id":7,"name":"Zoë"}\n' * 40_000)
        self.write("mapping", MAPPING)
        document = self.browser.send("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.send("DOM.querySelector", nodeId=document, selector="#file")["nodeId"]
        self.browser.send("DOM.setFileInputFiles", nodeId=node, files=[path])
        self.browser.wait("document.getElementById('mapped').children.length === 100")
        self.assertIn("256 KiB", self.text("sample-note"))
        self.assertIn(" 0 rejected", self.text("verdict"))

    def test_hostile_text_stays_text(self):
        hostile = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>{{7*7}}</textarea>'
        self.write("mapping", f"streammap: 1\nrecord:\n  id: id\n  '{hostile.replace(chr(39), '')}': {{ from: id, '<b>x': 1 }}\n")
        self.browser.wait("document.querySelectorAll('#mistakes li').length >= 1")
        self.write("mapping", "streammap: 1\nrecord:\n  id: { from: id, type: int64 }\n  text: text\n")
        rows = [{"id": 1, "text": hostile}, {"id": hostile, "text": "a"}, {hostile: 1, "id": {hostile: 2}}]
        self.write("sample", "".join(json.dumps(row) + "\n" for row in rows) + hostile + "\n")
        self.browser.wait("document.querySelectorAll('#rejected li').length >= 2 && document.querySelectorAll('#mapped li').length === 1")
        self.assertEqual(json.loads(self.browser.value("document.querySelector('#mapped pre').textContent")), rows[0])
        self.assertIsNone(self.browser.value("window.broken ?? null"))
        self.assertEqual(self.browser.value("document.querySelectorAll('img, main script, b').length"), 0)
        self.assertTrue(self.browser.value("(() => { try { document.body.innerHTML = '<p>x'; return false } catch { return true } })()"))

    def test_the_policy_lets_nothing_in(self):
        policy = self.service.request("GET", "/", token=None).headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual([event["params"] for event in self.browser.complaints() if event["method"] != "Runtime.consoleAPICalled"], [])
        requested = [event["params"]["request"]["url"] for event in self.browser.events if event.get("method") == "Network.requestWillBeSent"]
        self.assertTrue(all(url.startswith((f"http://127.0.0.1:{self.service.port}/", "about:")) for url in requested), requested)

    def test_by_keyboard_alone(self):
        self.write("mapping", "streammap: 1\nrecord:\n  id: { from: id, tpye: int64 }\n")
        self.browser.wait("document.querySelectorAll('#mistakes li').length === 1")
        order = []
        for _ in range(8):
            self.browser.press("Tab")
            order.append(self.browser.value("document.activeElement.id || document.activeElement.tagName"))
            if order[-1] == "BODY":
                break
            # Whatever has the focus shows it.
            self.assertTrue(self.browser.value(
                "[document.activeElement, document.activeElement.closest('.editor, .file')].some("
                "(it) => it && getComputedStyle(it).outlineStyle !== 'none' && parseFloat(getComputedStyle(it).outlineWidth) >= 2)"), order)
        self.assertEqual(order[:3], ["BUTTON", "file", "sample"])
        self.browser.value("document.querySelector('#mapping').focus()")
        self.browser.press("Tab")
        self.browser.press("Enter")
        self.assertEqual(self.browser.value("document.activeElement.id"), "mapping")
        self.browser.type("type")
        self.browser.wait("document.querySelectorAll('#mistakes li').length === 0")

    def test_names_and_roles(self):
        tree = self.browser.send("Accessibility.getFullAXTree")["nodes"]
        roles = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node.get("ignored")}
        for wanted in (("textbox", "Mapping"), ("textbox", "Sample"), ("heading", "Try a mapping"), ("list", "Rejected"), ("list", "Mapped")):
            self.assertIn(wanted, roles)
        nameless = [node for node in tree if not node.get("ignored") and node["role"]["value"] in ("button", "textbox")
                    and not node.get("name", {}).get("value")]
        self.assertEqual(nameless, [])
        self.assertEqual(self.browser.value("document.querySelectorAll('[role=status]').length"), 4)
        levels = self.browser.value("[...document.querySelectorAll('h1,h2,h3')].map((title) => +title.tagName[1])")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels)

    def contrasts(self):
        """The contrast of each text with what is below it."""
        return self.browser.value("""(() => {
          const part = (value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
          const colour = (text) => text.match(/[\\d.]+/g).map(Number);
          const light = ([r, g, b]) => 0.2126 * part(r / 255) + 0.7152 * part(g / 255) + 0.0722 * part(b / 255);
          const ground = (it) => {
            for (; it; it = it.parentElement) {
              const found = colour(getComputedStyle(it).backgroundColor);
              if (found.length === 3 || found[3] > 0) return found;
            }
            return [255, 255, 255];
          };
          const result = [];
          for (const it of document.querySelectorAll('h1, h2, h3, p, li, summary, pre:not(.marks), time, label, textarea, button, .code, .hint, .gutter div, .excerpt, .excerpt mark, th')) {
            if (!it.textContent.trim() || !it.checkVisibility()) continue;
            const [a, b] = [light(colour(getComputedStyle(it).color)), light(ground(it))].sort((x, y) => y - x);
            result.push([(a + 0.05) / (b + 0.05), it.tagName + '.' + it.className + ' ' + it.textContent.slice(0, 20)]);
          }
          // What is typed, over what is marked.
          const mark = document.querySelector('.marks mark');
          if (mark) {
            const text = getComputedStyle(document.querySelector('#sample')).color;
            const [a, b] = [light(colour(text)), light(colour(getComputedStyle(mark).backgroundColor))].sort((x, y) => y - x);
            result.push([(a + 0.05) / (b + 0.05), 'marked']);
          }
          return result;
        })()""")

    def test_light_dark_and_large(self):
        for scheme in ("light", "dark"):
            self.browser.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
            self.browser.wait("document.querySelectorAll('#rejected li').length >= 1")
            found = self.contrasts()
            self.assertGreater(len(found), 20)
            self.assertEqual([pair for pair in found if pair[0] < 4.5], [], scheme)
            self.browser.picture(os.path.join(PICTURES, f"{scheme}.png"))
        self.assertEqual(self.browser.value(
            "[...document.querySelectorAll('*')].filter((it) => parseFloat(getComputedStyle(it).transitionDuration) > 0 || getComputedStyle(it).animationName !== 'none').length"), 0)
        # 1280 pixels at 200 % and at 400 % are 640 and 320: nothing must need scrolling in two directions.
        for width in (640, 320):
            self.browser.size(width, 900, 2)
            self.browser.wait(f"innerWidth === {width}")
            self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), width)
            self.browser.picture(os.path.join(PICTURES, f"width-{width}.png"))

    def test_feeds_that_run_are_shown_to_who_has_the_token(self):
        feed, _ = people(2000)
        with self.service.begun("live", 1 << 30, feed + b'{"id":"x","name":"A","age":"y"}\n') as plug:
            self.assertIn("Give a token", self.text("feeds-note"))
            self.browser.value("document.getElementById('token').focus()")
            self.browser.type("wrong")
            self.browser.wait("document.getElementById('feeds-note').textContent.includes('a known token is needed')")
            self.browser.value("document.getElementById('token').value = ''")
            self.browser.type(TOKEN)
            self.browser.wait("document.querySelectorAll('#feeds tr').length === 1")
            plug.sendall(feed)
            self.browser.wait("document.querySelector('#feeds td:nth-child(4)').textContent !== '0'")
            cells = self.browser.value("[...document.querySelectorAll('#feeds td')].slice(0, 3).map((cell) => cell.textContent)")
            self.assertEqual(cells, ["acme", "live", "acme/people"])
            self.browser.value("document.querySelector('#feeds button').click()")
            self.browser.wait("document.getElementById('upload-shown').textContent.includes('acme/people: ')")
            self.assertIn("It continues at byte", self.text("upload-shown"))
            self.browser.picture(os.path.join(PICTURES, "feeds.png"))
        self.browser.wait("document.getElementById('feeds-note').textContent === 'No feed is running.'")

    def test_a_mapping_of_the_service_is_opened(self):
        with Service() as service:
            service.map("acme/Straße 1", MAPPING)
            self.assertTrue(eventually(lambda: "acme/Straße 1" in service.request("GET", "/mappings").json["mappings"]))
            self.browser.open(f"http://127.0.0.1:{service.port}/")
            self.settle()
            self.assertTrue(self.browser.value("document.getElementById('own').hidden"))
            self.browser.value("document.getElementById('token').focus()")
            self.browser.type(TOKEN)
            names = "[...document.getElementById('mappings').options].map((option) => option.value)"
            self.browser.wait("document.getElementById('mappings').options.length === 5")
            self.assertEqual(self.browser.value(names), ["", "acme/Straße 1", "acme/array", "acme/catalog", "acme/people"])
            self.write("sample", '{"id":7,"name":"Ann","age":3}')
            # By keyboard: the last one, then the first one.
            for keys, text, mapped in ((["End"], PEOPLE, '{"id":7,"name":"Ann","age":3}'), (["Home", "ArrowDown"], MAPPING, '{"id":7,"name":"Ann","tags":[]}')):
                self.browser.value("document.getElementById('mappings').focus()")
                for key in keys:
                    self.browser.press(key)
                self.browser.wait(f"document.getElementById('mapping').value === {json.dumps(text)}")
                self.settle()
                self.assertEqual(self.browser.value("document.querySelector('#mapped summary').textContent"), mapped)
            self.browser.picture(os.path.join(PICTURES, "mappings.png"))
            self.browser.value("document.getElementById('token').value = 'wrong'")
            self.browser.wait("document.getElementById('own').hidden")

    def test_past_uploads_are_listed_with_all_of_their_rejects(self):
        feed, _ = people(5)
        with Service() as service:
            service.map("acme/loose", PEOPLE.replace("max: 10", "max: 1000"))
            bad = feed * 60 + b'{"id":"x","name":"A","age":"y"}\n' * 120
            self.assertTrue(eventually(lambda: service.post(bad, "acme/loose", Upload_ID="with-rejects").status == 200))
            for number in range(105):
                service.post(feed, Upload_ID=f"plain-{number}")
            service.post(feed, Upload_ID="part", Upload_Complete="?0")
            service.post(b"<html>", Upload_ID="refused")
            self.browser.open(f"http://127.0.0.1:{service.port}/")
            self.settle()
            self.assertTrue(self.browser.value("document.getElementById('past').hidden"))
            self.browser.value("document.getElementById('token').focus()")
            self.browser.type(TOKEN)
            self.browser.wait("document.querySelectorAll('#uploads tr').length === 100")
            rows = "[...document.querySelectorAll('#uploads tr')].map((row) => [...row.cells].slice(0, 5).map((cell) => cell.textContent))"
            self.assertEqual(self.browser.value(rows)[:3], [
                ["refused", "acme/people", "refused for its content", "1", "1"],
                ["part", "acme/people", f"continues at byte {len(feed)}", "5", "0"], ["plain-104", "acme/people", "complete", "5", "0"]])
            self.browser.value("document.getElementById('older').click()")
            self.browser.wait("document.querySelectorAll('#uploads tr').length === 108")
            self.browser.wait("document.getElementById('older').hidden")
            self.assertEqual(self.browser.value(rows)[-1], ["with-rejects", "acme/loose", "complete", "420", "120"])
            # The list stays while nothing begins or ends.
            time.sleep(1.5)
            self.assertEqual(len(self.browser.value(rows)), 108)
            self.browser.value("document.querySelector('#uploads tr:last-child button').click()")
            self.browser.wait("document.querySelectorAll('#upload-shown li').length === 200")
            self.assertIn("420 records, 300 mapped, 120 rejected. It is complete.", self.text("upload-shown"))
            self.browser.value("document.querySelector('#upload-shown section > button').click()")
            self.browser.wait("document.querySelectorAll('#upload-shown li').length === 240")
            self.assertIn("Record 420, line 420, column 28, at $.age", self.text("upload-shown"))
            self.assertEqual(self.browser.value("document.querySelectorAll('#upload-shown section > button').length"), 0)
            for scheme in ("light", "dark"):
                self.browser.prefer(prefers_color_scheme=scheme)
                self.assertEqual([pair for pair in self.contrasts() if pair[0] < 4.5], [], scheme)
                self.browser.picture(os.path.join(PICTURES, f"uploads-{scheme}.png"))
            self.browser.size(320, 900)
            self.browser.wait("innerWidth === 320")
            self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), 320)
            # A new one comes by itself.
            with service.begun("newest", len(feed), feed) as plug:
                self.assertEqual(answer(plug).status, 200)
            with service.begun("running", 1 << 20, feed):
                self.browser.wait("document.querySelector('#uploads button').textContent === 'running'")
            self.browser.wait("document.querySelectorAll('#uploads button')[1].textContent === 'newest'")
            service.stop()
            self.browser.wait("document.getElementById('feeds-note').textContent === 'Not shown: the service does not answer.'")
            self.assertTrue(self.browser.value("document.getElementById('past').hidden"))

    def test_an_upload_that_is_over_is_shown_with_its_rejects(self):
        feed, _ = people(20)
        self.service.post(feed + b'{"id":"x","name":"A","age":"y"}\n', Upload_ID="over")
        self.browser.value("document.getElementById('token').focus()")
        self.browser.type(TOKEN)
        self.browser.value("document.getElementById('upload').focus()")
        self.browser.type("over")
        self.browser.press("Enter")
        self.browser.wait("document.getElementById('upload-shown').textContent.includes('21 records, 20 mapped, 1 rejected. It is complete.')")
        self.assertIn("Record 21, line 21, column 7, at $.id", self.text("upload-shown"))
        self.assertIn("at $.age", self.text("upload-shown"))


if __name__ == "__main__":
    unittest.main()
